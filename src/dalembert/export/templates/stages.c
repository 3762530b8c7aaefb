/* state->end from state->y, by the method @method_name@; stage i is at t + c_i h. */
static int attempt(@name@_state *state)
{
    const double h = @NAME@_STEP;
    int i;
@stages@
    return @NAME@_OK;
}

"""Contacts of wheelsets: closed forms, the conditions of the paper, published places, jumps and conicities."""

import numpy as np
import pytest

from dalembert.errors import ModelError
from dalembert.rail import (
    Arc,
    Clothoid,
    ContactTable,
    Material,
    Pair,
    Straight,
    Track,
    cone,
    contact_axes,
    contact_conditions,
    crown,
    find_contact,
    gaps,
    hertz,
    lifted,
    loaded_patch,
    rail,
    s1002,
    touching,
    uic60,
    uic60_of_benchmark,
    wheel,
)
from dalembert.rail.contact import rotation

WHEELS = Pair(s1002(), 1.5)
RAILS = Pair.of_gauge(uic60_of_benchmark())
#: CONTACT, Manchester benchmark case A, left wheel under 10 kN; its y points to the right, its z down:
#: y of the wheelset mm, yaw mrad, y on rail mm, y on wheel mm, angle rad
CONTACT = [
    (0.0, 0.0, 8.660, -1.873, 0.0290),
    (2.0, 4.8, 4.027, -8.566, 0.0134),
    (4.0, 9.6, 2.868, -11.817, 0.0096),
    (6.0, 14.4, 2.512, -14.388, 0.0084),
    (6.5, 15.6, 1.908, -17.235, 0.0064),
    (8.0, 19.2, 2.310, -20.346, 0.0077),
    (10.0, 24.0, 3.435, -22.540, 0.0115),
]


@pytest.mark.parametrize(("y", "yaw", "on_rail", "on_wheel", "angle"), CONTACT)
def test_places_of_contact(y, yaw, on_rail, on_wheel, angle):
    touch = touching(WHEELS, RAILS, -1e-3 * y, -1e-3 * yaw)
    patch = loaded_patch(WHEELS, RAILS, touch, "left", 10e3, Material.of_shear(82e9, 0.28))
    assert -1e3 * patch.u_r == pytest.approx(on_rail, abs=0.5)
    assert -1e3 * patch.u_w == pytest.approx(on_wheel, abs=0.5)
    assert patch.angle == pytest.approx(angle, abs=0.002)
    if y > 0.0:  # in the middle both bodies have almost the same shape, and the rigid contact is elsewhere
        assert -1e3 * touch.left.u_r == pytest.approx(on_rail, abs=0.5)
        assert -1e3 * touch.left.u_w == pytest.approx(on_wheel, abs=0.5)


def test_the_jump_to_the_flange_is_found():
    table = ContactTable(WHEELS, RAILS, -1e-3 * np.array([6.5, 6.0]), yaw=lambda y: 2.4 * y)
    (jump,) = table.jumps
    assert jump.side == "right"
    assert 0.0060 < -jump.y < 0.0065
    assert jump.before > 0.038 > 0.033 > jump.after


def test_conditions_of_the_paper_hold():
    touch = touching(WHEELS, RAILS, 0.003, 0.01)
    R = rotation(touch.yaw, touch.roll)
    track = Track([Straight(40.0)], distance=RAILS.distance)
    for one, side in ((touch.left, "left"), (touch.right, "right")):
        (w_profile, y_w), (r_profile, _) = WHEELS.side(side), RAILS.side(side)
        w = wheel(w_profile, one.u_w, one.theta)
        r = rail(track.rail(side), r_profile, 20.0 + one.x, one.u_r)
        centre = np.array([20.0, touch.y, touch.z]) + R @ [0.0, y_w, 0.0]
        normal, other = contact_conditions(
            centre + R @ w.point, R @ w.along, R @ w.across, r.point, contact_axes(r.along, r.across)
        )
        assert normal == pytest.approx(0.0, abs=1e-10)
        assert other == pytest.approx(np.zeros(4), abs=2e-6)
        found = find_contact(w_profile, track.rail(side), r_profile, centre, R)
        assert found == pytest.approx([one.theta, one.u_w, 20.0 + one.x, one.u_r], abs=1e-6)


def test_contacts_on_curved_and_canted_rails():
    track = Track(
        [Straight(20.0), Clothoid(40.0), Arc(60.0, 300.0, cant=0.1), Clothoid(40.0), Straight(20.0)], distance=1.52
    )
    s = 90.0
    here, ahead = track.centre(s), track.centre(s, 1)
    R = rotation(np.arctan2(ahead[1], ahead[0]), here[3])
    profile, head = cone(0.46, 0.05), crown(0.3)
    centre = here[:3] + R @ [0.0, 0.75, 0.46]
    found = find_contact(profile, track.left, head, centre, R)
    w, r = wheel(profile, found[1], found[0]), rail(track.left, head, found[2], found[3])
    assert r.point - centre - R @ w.point == pytest.approx(np.zeros(3), abs=0.01)  # under the wheel
    assert found[2] == pytest.approx(s, abs=0.01)
    _, rest = contact_conditions(
        centre + R @ w.point, R @ w.along, R @ w.across, r.point, contact_axes(r.along, r.across)
    )
    assert rest == pytest.approx(np.zeros(4), abs=1e-10)


def test_a_cone_on_round_heads():
    # A cone touches each arc where the slope is its own: u_r = −γ R/√(1 + γ²) on a straight track, without roll.
    gamma, R = 0.05, 0.3
    wheels, rails = Pair(cone(0.46, gamma), 1.5), Pair(crown(R), 1.5)
    touch = touching(wheels, rails)
    assert touch.roll == pytest.approx(0.0, abs=1e-12)
    assert touch.left.u_r == pytest.approx(-gamma * R / np.sqrt(1.0 + gamma**2), abs=1e-7)
    assert touch.right.u_r == pytest.approx(-touch.left.u_r, abs=1e-7)
    assert touch.left.angle == pytest.approx(np.arctan(gamma), abs=1e-6)
    table = ContactTable(wheels, rails, np.linspace(-5e-3, 5e-3, 11))
    # Δr = 2γy(1 + …): rolling makes the conicity of the pair a little larger than that of the cone.
    assert table.equivalent_conicity([2e-3, 4e-3]) == pytest.approx([gamma, gamma], rel=0.06)
    assert table.rolling_radius_difference[-1] > 0.0
    assert table.jumps == ()


def test_poses_are_mirrored():
    a, b = touching(WHEELS, RAILS, 0.002, 0.004), touching(WHEELS, RAILS, -0.002, -0.004)
    assert a.roll == pytest.approx(-b.roll, abs=1e-9)
    assert a.left.u_w == pytest.approx(-b.right.u_w, abs=2e-7)
    assert a.left.radius == pytest.approx(b.right.radius, abs=1e-9)


def test_yaw_moves_the_contact_forward():
    # The flange touches ahead of the axle when the wheelset runs against the rail.
    touch = touching(WHEELS, RAILS, 0.0075, 0.02)
    assert touch.left.theta > 0.02
    assert touch.left.x - 0.5 * WHEELS.distance * -np.sin(0.02) > 0.01  # from below the wheel's centre
    assert touch.left.angle > np.radians(20.0)


def test_lift_off_is_named():
    touch = touching(WHEELS, RAILS, 0.001)
    assert gaps(WHEELS, RAILS, touch.y, touch.z, touch.yaw, touch.roll) == pytest.approx(
        {"left": 0.0, "right": 0.0}, abs=1e-9
    )
    (note,) = lifted(WHEELS, RAILS, touch.y, touch.z, touch.yaw, touch.roll + 1e-3)
    assert note.startswith("left wheel: lifted off by 0.7")
    assert lifted(WHEELS, RAILS, touch.y, touch.z - 1e-3, touch.yaw, touch.roll) == ()


def test_conformal_contacts_and_ranges_are_named():
    hollow = Pair(crown(0.3), 1.5)
    wheels = Pair(cone(0.46, 0.05), 1.5)
    notes = touching(wheels, Pair(uic60(), 1.5)).notes
    assert not any("conformal" in note for note in notes)
    # Beyond its range a wheel of little width is said to have left it.
    narrow = Pair(cone(0.46, 0.05, width=0.012), 1.5)
    assert any("left the range of 'cone 0.05'" in note for note in touching(narrow, hollow, 0.011).notes)
    with pytest.raises(ModelError, match="wheel is beside its rail"):
        touching(wheels, Pair(crown(0.3), 1.9))


def test_wheels_without_room_between_the_rails_are_told():
    rails = Pair.of_gauge(uic60())
    assert not any("flange" in note for note in touching(WHEELS, rails).notes)
    wedged = touching(Pair(s1002(), rails.distance), rails)  # treads over the tops of the rails, as with cones
    assert "both wheels: contact on the flange; check the distances of wheels and rails" in wedged.notes
    with pytest.raises(ModelError, match=r"rails: gauge must be positive and in metres, such as 1.435, got 1435"):
        Pair.of_gauge(uic60(), 1435)
    with pytest.raises(ModelError, match="distance must be positive and in metres"):
        Pair(uic60(), 1521.0)


def test_profiles_in_the_wrong_place_are_refused_by_name():
    with pytest.raises(ModelError, match="wheels must be the profile of a wheel, but 'UIC60 1:40' is that of a r"):
        ContactTable(Pair(uic60(), 1.5), Pair(s1002(), 1.5), [0.0, 1e-3])
    with pytest.raises(ModelError, match=r"'S1002 \(mirrored\)' has its flange at positive u, as a right wheel"):
        touching(Pair(s1002().mirrored(), 1.5), RAILS)
    track = Track([Straight(40.0)], distance=1.5)
    with pytest.raises(
        ModelError, match=r"rail_profile must be the profile of a rail, but 'cone 0\.05' is that of a wheel"
    ):
        find_contact(cone(0.46, 0.05), track.left, cone(0.46, 0.05), [20.0, 0.75, 0.46], np.eye(3))
    with pytest.raises(ModelError, match=r"is 30 m beyond the end of the track at s = 0 m; start on the track"):
        find_contact(cone(0.46, 0.05), track.left, crown(0.3), [-30.0, 0.75, 0.46], np.eye(3))


def test_hertzian_patches_are_exact():
    # Where the gap is a parabola, virtual penetration is Hertz.
    wheels, rails = Pair(cone(0.46, 1e-3), 1.5), Pair(crown(0.3), 1.5)
    touch = touching(wheels, rails)
    patch = loaded_patch(wheels, rails, touch, "left", 8e4)
    ellipse = hertz(8e4, touch.left.A, touch.left.B)
    assert patch.half_length == pytest.approx(ellipse.a, rel=0.01)
    assert 0.5 * (patch.ends[1] - patch.ends[0]) == pytest.approx(ellipse.b, rel=0.01)
    assert patch.u_r == pytest.approx(touch.left.u_r, abs=2e-5)


def test_conicity_of_s1002_on_uic60():
    # A number of our own, which guards against change.
    table = ContactTable(WHEELS, Pair.of_gauge(uic60()), np.linspace(-4e-3, 4e-3, 33))
    with pytest.raises(ModelError, match="side must be one of left, right; got 'middle'"):
        table.column("middle", "u_w")
    with pytest.raises(ModelError, match="quantity 'u_wheel' does not exist; did you mean"):
        table.column("left", "u_wheel")
    with pytest.raises(ModelError, match="yaw as a function of y raised TypeError"):
        ContactTable(WHEELS, Pair.of_gauge(uic60()), [0.0, 1e-3], yaw=lambda y, speed: 0.0)
    assert table.equivalent_conicity(3e-3) == pytest.approx(0.18, abs=0.012)
    with pytest.raises(ModelError, match="within the table, 4 mm"):
        table.equivalent_conicity(5e-3)


def test_patches_on_the_flange_are_found():
    """They are narrow, less than half a millimetre: strips follow them. The right side is the mirror of the left."""
    wheels, rails = Pair(s1002(), 1.5), Pair.of_gauge(uic60())
    for y in (6.5e-3, 10e-3):
        touch, mirrored = touching(wheels, rails, y), touching(wheels, rails, -y)
        for load in (1e4, 8e4):
            left, other = (loaded_patch(wheels, rails, touch, side, load) for side in ("left", "right"))
            assert left.ends[0] < left.u_r < left.ends[1] and other.ends[0] < other.u_r < other.ends[1]
            right = loaded_patch(wheels, rails, mirrored, "right", load)
            assert right.approach == pytest.approx(left.approach, rel=1e-3)
            assert right.ends == pytest.approx((-left.ends[1], -left.ends[0]), abs=2e-5)
        contact = touch.left
        ellipse = hertz(load, contact.A, contact.B)
        assert contact.angle > 0.7
        width = (left.ends[1] - left.ends[0]) / np.cos(contact.angle)
        assert width == pytest.approx(2.0 * ellipse.b, rel=0.3)
        assert left.half_length == pytest.approx(ellipse.a, rel=0.3)

format = 1

[model]
name = "pendulum"
plane = "xy"
gravity = [0.0, -9.81]

[bodies.body]
mass = 2.0
inertia = 0.3
com = [0.4, 0.0]

[joints.A]
kind = "revolute"
between = [{ body = "ground", angle = -1.5707963267948966 }, "body"]

[sensors]
com = "body.com.position"

[run]
end = 2.0
start = { "A.angle" = 2.0 }

"""How well the work goes: the figures, their charts, and the time that decisions take."""

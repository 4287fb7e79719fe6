"""A made-up source in three forms: the text that is cited, the same as HTML, and an index of it."""

from dataclasses import replace

from fencepost.checkers.citations import Part, Text
from fencepost.checkers.citations.comparing import digest
from fencepost.checkers.citations.normalising import normal
from fencepost.checkers.citations.recording import recorded

COPY = """\
Skip to the end of the navigation

The lighthouse

A keeper lights the lamp at dusk, and no one but the keeper of that night may put it out.
  1. The keeper climbs the stairs, and reads the oil that is left in the tank.
  2. The keeper climbs the stairs again after four hours if the oil is low.

When the fog comes

The bell is rung every "thirty" seconds for as long as the far rock cannot be seen.
stateringskeeper
bell onyestwo
A keeper who falls asleep is relieved, and the log says at which hour.
  • No labels"""
"""Lines 1 and 15 are what a site has around a page; 12 and 13 are a table whose cells run together."""

HTML = """\
<!DOCTYPE html>
<html><head><title>The lighthouse</title><style>p { color: red }</style></head>
<body><nav><ul><li>Skip to the end</li><li>of the site</li></ul></nav><script>var lamp = "lit";</script>
<main><h1>The&nbsp;lighthouse</h1>
<p>A keeper <em>lights</em> the lamp at dusk, and no one but the keeper
of that night may put it&#32;out.</p>
<ol><li>The keeper climbs the <code>stairs</code>, and reads the oil that is left in the tank.</li>
<li>The keeper climbs the stairs again after four hours if the oil is low.</li></ol>
<h2>When the fog comes</h2>
<p>The bell is rung every &ldquo;thirty&rdquo; seconds for as long as the far rock cannot be seen.</p>
<table><tr><th>state</th><th>rings</th><th>keeper</th></tr><tr><td>bell on</td><td>yes</td><td>two</td></tr></table>
<p>A keeper who falls asleep is relieved, and the log says at which hour.</p>
<footer>No labels</footer></main></body></html>
"""

CITED = {3, 5, 6, 7, 9, 11, 13, 14}


def source() -> Text:
    """Return the index of the source: its cited lines, and one part from the heading to the last sentence."""
    lines = COPY.split("\n")
    part = Part((3, 14), digest("".join(map(normal, lines[2:14]))))
    bare = Text(
        "S9", "The lighthouse", "https://lighthouse.example/page", (), "of a night", len(lines), (part,), (), {}
    )
    return replace(bare, sections=((3, "The lighthouse"), (9, "When the fog comes")), cited=recorded(bare, COPY, CITED))

"""`python -m evalfw` is `evalfw`."""

from evalfw.cli.app import main

main()

"""The open smartshoe/1 protocol: microcontroller shoes, adapters and the simulator (see ``spec.md``)."""

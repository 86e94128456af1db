"""Snapshot tests of the published surface: everything that clients, operators or stored data depend on."""

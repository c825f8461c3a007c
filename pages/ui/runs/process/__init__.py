"""What the server process as a whole does beside its sessions."""

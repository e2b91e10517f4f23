"""What people see in a terminal: boards, events and meetings, drawn with Rich from plain values."""

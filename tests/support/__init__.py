"""What tests share: factories, clients, scenarios, servers, and requirements of the machine."""

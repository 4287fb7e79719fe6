"""KIP-631 as it became: a broker says whether it wants to be fenced or to shut down, and the controller decides."""

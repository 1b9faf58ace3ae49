"""Rule files as Gymnasium environments; :mod:`houserule.gymnasium` is what users import."""

"""The implementation of the Gymnasium environments. Users import :mod:`houserule.gymnasium`."""

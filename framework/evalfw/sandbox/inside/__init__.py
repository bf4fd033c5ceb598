"""What runs inside the sandbox: standard library only, imports nothing of the rest of evalfw.

In a sandbox process these modules are loaded as the package `evalfw_inside`, so they import each other relatively.
"""

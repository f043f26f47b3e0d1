"""Dictionaries of which the SDK does not know the type: it sends their names as they are, so they are those of the schema."""

import os

import pulumi
import pulumi_statecraft as statecraft

settings = {"address": os.environ["OTHER"], "token": os.environ["TOKEN"], "maxRetries": 0, "headers": {"x_team": "b"}}
other = statecraft.Provider("other", manager=settings, connections={"far_away": {"manager": settings}})
role = statecraft.AuthRole(
    "role",
    name="role",
    connection="far_away",
    token_policies=["web"],
    opts=pulumi.ResourceOptions(provider=other),
)
statecraft.SnapshotConfig(
    "hourly",
    name="hourly",
    interval="1h",
    storage={"type": "local", "pathPrefix": "/var/snapshots", "maxSpace": 1000},
    opts=pulumi.ResourceOptions(provider=other),
)
pulumi.export("policies", role.token_policies)

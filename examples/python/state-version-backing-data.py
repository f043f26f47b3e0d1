import pulumi
import pulumi_statecraft as statecraft

leaked = statecraft.StateVersionBackingData(
    "leaked",
    state_version_id="sv-1",
    state="softDeleted",
    delete_older_than_n_days=30,
)
pulumi.export("status", leaked.status)

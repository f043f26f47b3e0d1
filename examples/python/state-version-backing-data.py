import pulumi
import pulumi_statecraft as statecraft

leaked = statecraft.StateVersionBackingData("leaked",
    delete_older_than_n_days=30,
    state=statecraft.BackingDataState.SOFT_DELETED,
    state_version_id="sv-1")
pulumi.export("status", leaked.status)

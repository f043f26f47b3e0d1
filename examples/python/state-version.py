import pulumi
import pulumi_statecraft as statecraft

workspace = statecraft.get_workspace_output(organization="example", name="app")
moved = statecraft.StateVersion(
    "moved",
    workspace_id=workspace.id,
    content="{\"version\":4,\"serial\":5,\"lineage\":\"5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10\",\"outputs\":{},\"resources\":[]}",
    lock={"reason": "moving the state"},
    wait_for_processing=True,
)
pulumi.export("serial", moved.serial)
pulumi.export("version", moved.id)

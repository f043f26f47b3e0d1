import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_csi_volumes()
pulumi.export("found", result.volumes)

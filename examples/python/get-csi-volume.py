import pulumi
import pulumi_statecraft as statecraft

result = statecraft.get_csi_volume(volume_id="data")
pulumi.export("found", result.external_id)

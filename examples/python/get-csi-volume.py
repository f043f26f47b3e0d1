import pulumi
import pulumi_statecraft as statecraft

csi_volume = statecraft.get_csi_volume_output(volume_id="data")
pulumi.export("found", csi_volume.external_id)

import pulumi
import pulumi_statecraft as statecraft

csi_volumes = statecraft.get_csi_volumes_output()
pulumi.export("found", csi_volumes.volumes)

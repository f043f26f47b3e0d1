package main

import (
	"pulumi-statecraft/go/statecraft"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		workspace := statecraft.GetWorkspaceOutput(ctx, statecraft.GetWorkspaceOutputArgs{
			Organization: pulumi.String("example"),
			Name:         pulumi.String("app"),
		}, nil)
		moved, err := statecraft.NewStateVersion(ctx, "moved", &statecraft.StateVersionArgs{
			WorkspaceId: workspace.Id(),
			Content:     pulumi.Any("{\"version\":4,\"serial\":5,\"lineage\":\"5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10\",\"outputs\":{},\"resources\":[]}"),
			Lock: &statecraft.LockReasonArgs{
				Reason: pulumi.String("moving the state"),
			},
			WaitForProcessing: pulumi.Any(true),
		})
		if err != nil {
			return err
		}
		ctx.Export("serial", moved.Serial)
		ctx.Export("version", moved.ID())
		return nil
	})
}

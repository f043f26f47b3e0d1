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
		undo, err := statecraft.NewStateVersionRollback(ctx, "undo", &statecraft.StateVersionRollbackArgs{
			WorkspaceId:    workspace.Id(),
			StateVersionId: pulumi.String("sv-3"),
			Lock: &statecraft.LockReasonArgs{
				Reason: pulumi.String("incident: back to the last good state"),
			},
			KeepLocked:        pulumi.Bool(true),
			WaitForProcessing: pulumi.Any(true),
			OnDelete:          statecraft.StateVersionRollbackOnDeleteRestore,
		})
		if err != nil {
			return err
		}
		ctx.Export("current", undo.CurrentStateVersionId)
		ctx.Export("from", undo.RolledBackFrom)
		return nil
	})
}

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
		freeze, err := statecraft.NewWorkspaceLock(ctx, "freeze", &statecraft.WorkspaceLockArgs{
			Reason:      pulumi.String("change 4711: no runs until Monday"),
			WorkspaceId: workspace.Id(),
		})
		if err != nil {
			return err
		}
		undo, err := statecraft.NewStateVersionRollback(ctx, "undo", &statecraft.StateVersionRollbackArgs{
			Lock:           pulumi.Any(false),
			OnDelete:       statecraft.StateVersionRollbackOnDeleteRestore,
			StateVersionId: pulumi.String("sv-3"),
			WorkspaceId:    workspace.Id(),
		}, pulumi.DependsOn([]pulumi.Resource{
			freeze,
		}))
		if err != nil {
			return err
		}
		ctx.Export("current", undo.CurrentStateVersionId)
		ctx.Export("lockedBy", freeze.LockedBy)
		return nil
	})
}

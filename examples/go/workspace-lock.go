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
			WorkspaceId: workspace.Id(),
			Reason:      pulumi.String("change 4711: no runs until Monday"),
		})
		if err != nil {
			return err
		}
		undo, err := statecraft.NewStateVersionRollback(ctx, "undo", &statecraft.StateVersionRollbackArgs{
			WorkspaceId:    workspace.Id(),
			StateVersionId: pulumi.String("sv-3"),
			Lock:           pulumi.Any(false),
			OnDelete:       statecraft.StateVersionRollbackOnDeleteRestore,
		}, pulumi.DependsOn([]pulumi.Resource{freeze}))
		if err != nil {
			return err
		}
		ctx.Export("current", undo.CurrentStateVersionId)
		ctx.Export("lockedBy", freeze.LockedBy)
		return nil
	})
}

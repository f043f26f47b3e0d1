import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.StateVersionRollback;
import com.pulumi.statecraft.StateVersionRollbackArgs;
import com.pulumi.statecraft.enums.StateVersionRollbackOnDelete;
import com.pulumi.statecraft.inputs.WorkspaceLockArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var undo = new StateVersionRollback("undo", StateVersionRollbackArgs.builder()
            .keepLocked(true)
            .lock(WorkspaceLockArgs.builder()
                .reason("incident: going back to the last good state")
                .build())
            .onDelete(StateVersionRollbackOnDelete.Restore)
            .stateVersionId("sv-3")
            .waitForProcessing(true)
            .workspaceId("ws-1")
            .build());

        ctx.export("current", undo.currentStateVersionId());
        ctx.export("from", undo.rolledBackFrom());
    }
}

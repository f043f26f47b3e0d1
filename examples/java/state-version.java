import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.StateVersion;
import com.pulumi.statecraft.StateVersionArgs;
import com.pulumi.statecraft.inputs.WorkspaceLockArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var moved = new StateVersion("moved", StateVersionArgs.builder()
            .content("{\"version\":4,\"serial\":5,\"lineage\":\"5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10\",\"outputs\":{},\"resources\":[]}")
            .lock(WorkspaceLockArgs.builder()
                .reason("moving the state")
                .build())
            .waitForProcessing(true)
            .workspaceId("ws-1")
            .build());

        ctx.export("serial", moved.serial());
        ctx.export("version", moved.id());
    }
}

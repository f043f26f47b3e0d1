import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.StatecraftFunctions;
import com.pulumi.statecraft.inputs.GetSnapshotStatusArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var result = StatecraftFunctions.getSnapshotStatus(GetSnapshotStatusArgs.builder()
            .name("web")
            .build());

        ctx.export("found", result.applyValue(_result -> _result.lastSnapshotStart()));
    }
}

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.StatecraftFunctions;
import com.pulumi.statecraft.inputs.GetCurrentStateVersionArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var result = StatecraftFunctions.getCurrentStateVersion(GetCurrentStateVersionArgs.builder()
            .workspaceId("ws-1")
            .build());

        ctx.export("found", result.applyValue(_result -> _result.id()));
    }
}

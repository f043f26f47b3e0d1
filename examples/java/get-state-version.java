import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.StatecraftFunctions;
import com.pulumi.statecraft.inputs.GetStateVersionArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var result = StatecraftFunctions.getStateVersion(GetStateVersionArgs.builder()
            .id("sv-3")
            .build());

        ctx.export("found", result.applyValue(_result -> _result.createdAt()));
    }
}

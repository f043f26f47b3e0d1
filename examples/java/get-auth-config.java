import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.StatecraftFunctions;
import com.pulumi.statecraft.inputs.GetAuthConfigArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var result = StatecraftFunctions.getAuthConfig(GetAuthConfigArgs.builder()
            .build());

        ctx.export("found", result.applyValue(_result -> _result.tenantId()));
    }
}

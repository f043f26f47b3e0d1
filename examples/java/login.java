import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.StatecraftFunctions;
import com.pulumi.statecraft.inputs.LoginArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var config = ctx.config();
        final var jwt = config.requireSecret("jwt");
        final var result = StatecraftFunctions.login(LoginArgs.builder()
            .role("web")
            .jwt(jwt)
            .subscriptionId("11111111-2222-4333-8444-555555555555")
            .resourceGroupName("prod")
            .build());

        ctx.export("found", result.applyValue(_result -> _result.clientToken()));
    }
}

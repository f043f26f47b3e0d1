import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.resources.CustomResourceOptions;
import com.pulumi.statecraft.AuthConfig;
import com.pulumi.statecraft.AuthConfigArgs;
import com.pulumi.statecraft.RootRotation;
import com.pulumi.statecraft.RootRotationArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var config = ctx.config();
        final var firstClientSecret = config.requireSecret("firstClientSecret");
        var method = new AuthConfig("method", AuthConfigArgs.builder()
            .clientId("9a1f0c5e-0000-4000-8000-000000000002")
            .clientSecret(firstClientSecret)
            .resource("https://secrets.example/")
            .tenantId("9a1f0c5e-0000-4000-8000-000000000001")
            .build());

        var rotation = new RootRotation("rotation", RootRotationArgs.builder()
            .triggers("2026-1")
            .build(), CustomResourceOptions.builder()
                .dependsOn(method)
                .build());

        ctx.export("rotated", rotation.id());
    }
}

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.resources.CustomResourceOptions;
import com.pulumi.statecraft.AuthConfig;
import com.pulumi.statecraft.AuthConfigArgs;
import com.pulumi.statecraft.AuthRole;
import com.pulumi.statecraft.AuthRoleArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var config = ctx.config();
        final var clientSecret = config.requireSecret("clientSecret");
        var method = new AuthConfig("method", AuthConfigArgs.builder()
            .clientId("9a1f0c5e-0000-4000-8000-000000000002")
            .clientSecret(clientSecret)
            .maxRetries(5)
            .maxRetryDelay("2m")
            .resource("https://secrets.example/")
            .retryDelay("2s")
            .tenantId("9a1f0c5e-0000-4000-8000-000000000001")
            .build());

        var web = new AuthRole("web", AuthRoleArgs.builder()
            .boundResourceGroups("prod")
            .boundServicePrincipalIds("9a1f0c5e-0000-4000-8000-000000000003")
            .name("web")
            .tokenPolicies("web")
            .tokenTtl("1h")
            .build(), CustomResourceOptions.builder()
                .dependsOn(method)
                .build());

        ctx.export("methodId", method.id());
        ctx.export("webId", web.id());
    }
}

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.AuthRole;
import com.pulumi.statecraft.AuthRoleArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var web = new AuthRole("web", AuthRoleArgs.builder()
            .boundResourceGroups(
                "web-prod",
                "web-staging")
            .boundServicePrincipalIds("9a1f0c5e-0000-4000-8000-000000000003")
            .name("web")
            .tokenBoundCidrs("10.0.0.0/8")
            .tokenMaxTtl("24h")
            .tokenPolicies("web")
            .tokenTtl("1h")
            .build());

        var billing = new AuthRole("billing", AuthRoleArgs.builder()
            .boundResourceGroups("billing")
            .boundServicePrincipalIds("9a1f0c5e-0000-4000-8000-000000000004")
            .name("billing")
            .tokenBoundCidrs("10.0.0.0/8")
            .tokenMaxTtl("24h")
            .tokenPolicies(
                "billing",
                "ledger-read")
            .tokenTtl("1h")
            .build());

        ctx.export("webId", web.id());
        ctx.export("billingId", billing.id());
    }
}

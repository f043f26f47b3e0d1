import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.asset.StringAsset;
import com.pulumi.core.Output;
import com.pulumi.deployment.InvokeOutputOptions;
import com.pulumi.resources.CustomResourceOptions;
import com.pulumi.resources.Resource;
import com.pulumi.statecraft.*;
import com.pulumi.statecraft.enums.BackingDataState;
import com.pulumi.statecraft.inputs.*;
import java.util.Map;
import java.util.Optional;

/**
 * Every resource and a function, on the world of the demonstration: what native-program.ts has in YAML. The SDK sends the settings of
 * their provider as text, a secret inside.
 */
final class EveryResource {
    private static final String STATE = "{\"version\": 4, \"serial\": 9, \"lineage\": \"5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10\","
        + " \"outputs\": {}, \"resources\": []}";

    public static void main(String[] args) {
        Pulumi.run(EveryResource::stack);
    }

    private static void stack(Context ctx) {
        var config = new Config();
        var all = new Provider("all", ProviderArgs.builder()
            .manager(settings(config.manager()))
            .volumes(settings(config.volumes()))
            .stateVersions(settings(config.stateVersions()))
            .build());
        var method = new AuthConfig("method", AuthConfigArgs.builder()
            .tenantId("9a1f0c5e-0000-4000-8000-000000000001")
            .resource("https://secrets.example/")
            .clientId("9a1f0c5e-0000-4000-8000-000000000002")
            .clientSecret("planted-client-secret")
            .build(), with(all));
        new RootRotation("rotation", RootRotationArgs.builder().triggers("2026-1").build(), with(all, method));
        var web = new AuthRole("web", AuthRoleArgs.builder()
            .name("web")
            .boundResourceGroups("prod")
            .tokenTtl("1h")
            .build(), with(all));
        var hourly = new SnapshotConfig("hourly", SnapshotConfigArgs.builder()
            .name("hourly")
            .interval("1h")
            .retain(24)
            .storage(SnapshotConfigStorageCloudbS3Args.builder()
                .type("cloudb-s3")
                .bucket("snapshots")
                .region("north-1")
                .pathPrefix("secrets-manager")
                .accessKeyId("planted-key-id")
                .secretAccessKey("planted-secret-key")
                .build())
            .build(), with(all));
        var data = new CsiVolume("data", CsiVolumeArgs.builder()
            .volumeId("data")
            .name("data")
            .externalId("vol-0a1b")
            .pluginId("disks")
            .accessMode("single-node-writer")
            .attachmentMode("file-system")
            .topologies(Map.of("rack", "r1"))
            .build(), with(all));
        new CsiVolumeDetachment("repair", CsiVolumeDetachmentArgs.builder()
            .volumeId(data.volumeId())
            .node("node-1")
            .build(), with(all));
        var undo = new StateVersionRollback("undo", StateVersionRollbackArgs.builder()
            .workspaceId("ws-1")
            .stateVersionId("sv-3")
            .lock(WorkspaceLockArgs.builder().reason("incident").build())
            .build(), with(all));
        var made = new StateVersion("made", StateVersionArgs.builder()
            .workspaceId("ws-1")
            .content(new StringAsset(STATE))
            .lock(true)
            .build(), with(all, undo));
        new StateVersionBackingData("old", StateVersionBackingDataArgs.builder()
            .stateVersionId("sv-1")
            .state(BackingDataState.SoftDeleted)
            .build(), with(all, made));

        var found = StatecraftFunctions.getAuthRole(
            GetAuthRoleArgs.builder().name(web.name()).build(),
            new InvokeOutputOptions.Builder().provider(all).build());
        ctx.export("foundTtl", found.applyValue(role -> role.tokenTtl()));
        ctx.export("storage", hourly.storage());
        ctx.export("rack", Output.tuple(data.topologies(), undo.lock()).applyValue(both -> {
            if (!Map.of("reason", "incident").equals(both.t2.orElseThrow())) throw new IllegalStateException("the lock has no reason");
            return both.t1.orElseThrow().get(0).get("rack");
        }));
        ctx.export("secret", method.clientSecret());
    }

    private static ServiceSettingsArgs settings(Optional<ServiceSettings> configured) {
        return ServiceSettingsArgs.builder()
            .address(configured.orElseThrow().address().orElseThrow())
            .token(Output.ofSecret("planted-token"))
            .maxRetries(0)
            .build();
    }

    private static CustomResourceOptions with(Provider provider, Resource... needed) {
        return CustomResourceOptions.builder().provider(provider).dependsOn(needed).build();
    }
}

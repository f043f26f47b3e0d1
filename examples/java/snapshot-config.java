import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.SnapshotConfig;
import com.pulumi.statecraft.SnapshotConfigArgs;
import com.pulumi.statecraft.inputs.SnapshotConfigStorageCloudbS3Args;
import com.pulumi.statecraft.inputs.SnapshotConfigStorageLocalArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var config = ctx.config();
        final var bucketKeyId = config.requireSecret("bucketKeyId");
        final var bucketKey = config.requireSecret("bucketKey");
        var hourly = new SnapshotConfig("hourly", SnapshotConfigArgs.builder()
            .interval("1h")
            .name("hourly")
            .retain(24)
            .storage(SnapshotConfigStorageLocalArgs.builder()
                .maxSpace(10000000000.0)
                .pathPrefix("/var/snapshots")
                .type("local")
                .build())
            .build());

        var daily = new SnapshotConfig("daily", SnapshotConfigArgs.builder()
            .filePrefix("daily")
            .interval("24h")
            .name("daily")
            .retain(30)
            .storage(SnapshotConfigStorageCloudbS3Args.builder()
                .accessKeyId(bucketKeyId)
                .bucket("snapshots")
                .enableKms(true)
                .kmsKey("snapshots")
                .pathPrefix("secrets-manager")
                .region("north-1")
                .secretAccessKey(bucketKey)
                .type("cloudb-s3")
                .build())
            .build());

        ctx.export("hourlyId", hourly.id());
        ctx.export("dailyId", daily.id());
    }
}

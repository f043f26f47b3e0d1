import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.resources.CustomResourceOptions;
import com.pulumi.statecraft.CsiVolume;
import com.pulumi.statecraft.CsiVolumeArgs;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var database = new CsiVolume("database", CsiVolumeArgs.builder()
            .accessMode("single-node-writer")
            .attachmentMode("file-system")
            .externalId("vol-0a1b")
            .pluginId("disks")
            .topologies(
                Map.of("rack", "r1"),
                Map.of("rack", "r2"))
            .volumeId("database")
            .waitUntilSchedulable("2m")
            .build(), CustomResourceOptions.builder()
                .protect(true)
                .build());

        var scratch = new CsiVolume("scratch", CsiVolumeArgs.builder()
            .accessMode("multi-node-multi-writer")
            .attachmentMode("file-system")
            .detachOnDelete(true)
            .externalId("vol-0a1c")
            .force(true)
            .pluginId("disks")
            .volumeId("scratch")
            .build());

        ctx.export("databaseSchedulable", database.schedulable());
        ctx.export("scratchSchedulable", scratch.schedulable());
    }
}

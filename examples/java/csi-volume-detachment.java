import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.CsiVolume;
import com.pulumi.statecraft.CsiVolumeArgs;
import com.pulumi.statecraft.CsiVolumeDetachment;
import com.pulumi.statecraft.CsiVolumeDetachmentArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var data = new CsiVolume("data", CsiVolumeArgs.builder()
            .accessMode("single-node-writer")
            .attachmentMode("file-system")
            .externalId("vol-0a1b")
            .pluginId("disks")
            .volumeId("data")
            .build());

        var repair = new CsiVolumeDetachment("repair", CsiVolumeDetachmentArgs.builder()
            .node("node-1")
            .triggers("first")
            .volumeId(data.volumeId())
            .build());

        ctx.export("detached", repair.detached());
    }
}

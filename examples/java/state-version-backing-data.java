import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.statecraft.StateVersionBackingData;
import com.pulumi.statecraft.StateVersionBackingDataArgs;
import com.pulumi.statecraft.enums.BackingDataState;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var leaked = new StateVersionBackingData("leaked", StateVersionBackingDataArgs.builder()
            .deleteOlderThanNDays(30)
            .state(BackingDataState.SoftDeleted)
            .stateVersionId("sv-1")
            .build());

        ctx.export("status", leaked.status());
    }
}

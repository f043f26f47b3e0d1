import com.pulumi.Context;
import com.pulumi.test.Mocks;
import com.pulumi.test.PulumiTest;
import com.pulumi.test.internal.PulumiTestInternal;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs the class App of each package that it is given, with the SDK's mocks instead of the engine. Each of them is said. */
final class RunExamples implements Mocks {
    @Override
    public CompletableFuture<ResourceResult> newResourceAsync(ResourceArgs args) {
        return CompletableFuture.completedFuture(ResourceResult.of(Optional.of(args.name + "-id"), args.inputs));
    }

    @Override
    public CompletableFuture<Map<String, Object>> callAsync(CallArgs args) {
        return CompletableFuture.completedFuture(args.args);
    }

    public static void main(String[] names) throws ReflectiveOperationException {
        var config = Pattern.compile("\"(.*?)\":\"(.*?)\"").matcher(System.getenv("PULUMI_CONFIG")).results()
            .collect(Collectors.toMap(pair -> pair.group(1), pair -> pair.group(2)));
        for (var name : names) {
            var stack = Class.forName(name + ".App").getMethod("stack", Context.class);
            new PulumiTestInternal.Builder().mocks(new RunExamples()).config(config).build().runTest(context -> {
                try {
                    stack.invoke(null, context);
                } catch (ReflectiveOperationException error) {
                    throw new IllegalStateException(name, error);
                }
            }).throwOnError();
            PulumiTest.cleanup();
            System.out.println(name);
        }
        // The SDK's threads would go on.
        System.exit(0);
    }
}

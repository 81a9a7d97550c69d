/** A registry of prom-client. */
interface Registry {
  registerMetric(metric: never): void;
}

/**
 * Registers the figures in this registry instead of prom-client's default one.
 * Throws a TypeError where it is no registry, and what the registry throws for a name that it has already.
 */
export declare function registerIn(registry: Registry): void;

import fc from 'fast-check'

/** Setup file of vitest: properties of fast-check run from a fixed seed; FC_SEED gives another for a longer hunt by hand. */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 1) })

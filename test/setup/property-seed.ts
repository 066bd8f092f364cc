import fc from 'fast-check';

// The same cases in every run, so that a run fails only for what has changed. `PROPERTY_SEED=$RANDOM` tries others.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

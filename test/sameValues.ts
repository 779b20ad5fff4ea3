import fc from 'fast-check';

// For mutation testing: each mutant is tried with the same values, and the first that fails is enough.
fc.configureGlobal({ seed: 1, endOnFailure: true });

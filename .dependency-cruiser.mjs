// @ts-check
// Who may import whom. One rule for each sentence, so that a refusal names the sentence.

const TEST = String.raw`\.test\.tsx?$`
/** Tests and what only they use: they may look behind any wall on their own side. */
const TESTS = [TEST, '^[^/]+/test/', '^web/src/test/']

/** @param {string[]} names */
const packages = (...names) => `(^|/)node_modules/(@types/)?(${names.join('|')})(/|$)`

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const WORKSPACES = [
  {
    name: 'contract-is-a-leaf',
    comment: 'What server and web agree on knows neither, and no package but zod.',
    from: { path: '^contract/src/', pathNot: TEST },
    to: { pathNot: ['^contract/src/', packages('zod')] },
  },
  {
    name: 'browsers-load-zod-mini',
    comment: 'Schemas of zod itself carry all that a schema can do: 17 kB of the first load.',
    from: { path: '^(contract|web)/' },
    to: { path: String.raw`(^|/)node_modules/zod/index\.` },
  },
  {
    name: 'web-sees-only-contract',
    comment: 'The two sides meet in the contract.',
    from: { path: '^web/' },
    to: { path: '^(server|sandbox|e2e|bench|scripts)/' },
  },
  {
    name: 'server-sees-only-contract',
    comment: 'The two sides meet in the contract. The sandbox has a rule of its own.',
    from: { path: '^server/', pathNot: String.raw`^server/test/(program|chaos\.test)\.ts$` },
    to: { path: '^(web|e2e|bench|scripts)/' },
  },
  {
    name: 'server-tests-build',
    comment: 'Tests of whole programs run what `npm start` runs, and build it first.',
    from: { path: String.raw`^server/test/(program|chaos\.test)\.ts$` },
    to: { path: '^(web|e2e|bench|scripts)/', pathNot: String.raw`^scripts/build\.mjs$` },
  },
  {
    name: 'sandbox-only-in-demo-and-tests',
    comment: 'The stand-ins for the outside world are started by the demo and by tests.',
    from: { path: '^server/', pathNot: [...TESTS, '^server/src/demo/'] },
    to: { path: '^sandbox/' },
  },
  {
    name: 'sandbox-sees-only-contract',
    comment: 'The sandbox speaks the protocol of an outside service; it must not share our code.',
    from: { path: '^sandbox/' },
    to: { path: '^(server|web|e2e|bench|scripts)/' },
  },
  {
    name: 'journeys-see-only-contract',
    comment:
      'A journey knows the app through the browser alone. It may build it and ask for a browser.',
    from: { path: '^e2e/' },
    to: {
      path: '^(server|web|sandbox|bench|scripts)/',
      pathNot: String.raw`^scripts/(build|chromium)\.mjs$`,
    },
  },
  {
    name: 'bench-does-not-see-web',
    comment: 'Benchmarks measure the server, and the web app from outside.',
    from: { path: '^bench/' },
    to: { path: '^(web|e2e)/' },
  },
  {
    name: 'scripts-stand-alone',
    comment: 'The commands run before anything is installed or built.',
    from: { path: '^scripts/' },
    to: { path: '^(contract|server|web|sandbox|e2e|bench)/' },
  },
]

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const LAYERS = [
  {
    name: 'features-never-import-features',
    comment: 'They meet in wiring/ (server) and in app/routes (web).',
    from: { path: '^(server|web)/src/features/([^/]+)/' },
    to: { path: '^$1/src/features/', pathNot: '^$1/src/features/$2/' },
  },
  {
    name: 'only-wiring-knows-adapters',
    comment: 'Everyone else knows the port. An adapter has its own test beside it.',
    from: {
      path: '^(server|bench)/',
      pathNot: [
        '^server/src/wiring/',
        String.raw`^server/test/server\.ts$`,
        // Sends hostile texts through adapters into the database.
        String.raw`^server/test/texts-from-outside\.test\.ts$`,
        // The set-up of the adapter's own tests.
        String.raw`^server/test/airtable-adapter\.ts$`,
        // A process that a test kills.
        String.raw`^server/test/migration-worker\.fixture\.ts$`,
        '^server/src/adapters/',
      ],
    },
    to: { path: '^server/src/adapters/' },
  },
  {
    name: 'adapters-know-only-ports',
    comment: 'An adapter turns a port into a protocol; it has no business with the rest of us.',
    from: { path: '^server/src/adapters/', pathNot: TEST },
    to: { path: '^server/', pathNot: '^server/(src/(ports|adapters)|node_modules)/' },
  },
  {
    name: 'ports-know-nothing',
    comment: 'Ports are types; they may speak the words of the contract.',
    from: { path: '^server/src/ports/', pathNot: TEST },
    to: { path: '^server/', pathNot: '^server/src/ports/' },
  },
  {
    name: 'foundations-never-import-features',
    comment: 'General parts stay free of pharmacy words.',
    from: { path: '^(web/src/(ui|lib)|server/src/(database|platform|http))/' },
    to: { path: '^(server|web)/src/features/' },
  },
  {
    name: 'rules-are-pure',
    comment:
      'Decisions import the contract, the time in Rome, zod, other rules of their feature, and types.',
    from: { path: String.raw`^(.+)/[^/]+\.rules\.ts$` },
    to: {
      pathNot: [
        '^contract/src/',
        String.raw`^server/src/platform/rome-time\.ts$`,
        packages('zod'),
        String.raw`^$1/[^/]+\.rules\.ts$`,
      ],
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'sql-only-in-stores',
    comment: 'SQL lives in *.store.ts, platform/ and database/.',
    from: {
      pathNot: [
        ...TESTS,
        String.raw`\.store\.ts$`,
        '^server/src/(platform|database)/',
        '^server/scripts/',
        String.raw`^e2e/support/database\.ts$`,
        '^bench/',
        '(^|/)node_modules/',
      ],
    },
    to: { path: packages('kysely', 'pg', 'pg-[^/]+') },
  },
]

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const HYGIENE = [
  { name: 'no-circular', from: {}, to: { circular: true } },
  {
    name: 'no-orphans',
    comment: 'A file without imports that no file imports is forgotten.',
    from: {
      orphan: true,
      pathNot: [
        String.raw`\.d\.ts$`,
        String.raw`\.config\.(ts|mjs)$`,
        '^scripts/',
        '/scripts/',
        // The browser loads these by their address.
        '^web/public/',
        '^bench/felt-probe.js$',
        '/test/',
      ],
    },
    to: {},
  },
  { name: 'not-to-unresolvable', from: {}, to: { couldNotResolve: true } },
  {
    name: 'no-undeclared-package',
    comment: 'It is there by luck: another package or workspace brought it.',
    from: {},
    // The manifest nearest to a file decides. The root declares the test runner for all.
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: packages('vitest') },
  },
  {
    name: 'no-dev-package-in-src',
    comment: 'What runs in production is a dependency, not a tool.',
    from: { path: '^(contract|server|web|sandbox)/src/', pathNot: TESTS },
    to: {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['type-only'],
      pathNot: ['^(contract|sandbox)/', '(^|/)node_modules/@types/'],
    },
  },
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...WORKSPACES, ...LAYERS, ...HYGIENE].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '(^|/)(dist|coverage|test-results)/' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    // Types count: a type is knowledge too. `import type` tells them apart for the rules about values.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts', '.json'],
    },
  },
}

// @ts-check

const tests = ['e2e/accessibility.test.ts']
const tokens = 'web/src/tokens.css'
const features = 'web/src/features'

/** @param {string} screen as the test calls it */
function on(screen) {
  return `its window ${screen}$`
}

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'the staff application declares its language',
    file: 'web/index.html',
    find: '<html lang="it">',
    replace: '<html>',
    tests,
    only: on('login'),
  },
  {
    name: 'the public page declares its language',
    file: 'web/offers.html',
    find: '<html lang="it">',
    replace: '<html>',
    tests,
    only: on('public offers refused'),
  },
  {
    name: 'pages without a session have a main landmark',
    file: 'web/src/app/shell/public-shell.tsx',
    find: `<main className="flex flex-1 flex-col">
        <Suspense fallback={<PageSpinner />}>
          <Outlet />
        </Suspense>
      </main>`,
    replace: `<div className="flex flex-1 flex-col">
        <Suspense fallback={<PageSpinner />}>
          <Outlet />
        </Suspense>
      </div>`,
    tests,
    only: on('not found'),
  },
  {
    name: 'secondary text has enough contrast in the light theme',
    file: tokens,
    find: '--c-muted: #5c645f;',
    replace: '--c-muted: #8d958f;',
    tests,
    only: on('privacy'),
  },
  {
    name: 'table heads have enough contrast in the light theme',
    file: tokens,
    find: '--c-sunken: #f5f4ef;',
    replace: '--c-sunken: #c9c6bb;',
    tests,
    only: on('the day'),
  },
  {
    name: 'the chosen role has enough contrast in the dark theme',
    file: tokens,
    find: '--c-accent-soft: #12301f;',
    replace: '--c-accent-soft: #e3f4ea;',
    tests,
    only: on('change of a colleague'),
  },
  {
    name: 'the button of a removal has enough contrast in the dark theme',
    file: tokens,
    find: '--c-danger-soft: #331a18;',
    replace: '--c-danger-soft: #fdf0ee;',
    tests,
    only: on('removal of a colleague'),
  },
  {
    name: 'the badge of a featured offer has enough contrast in the dark theme',
    file: tokens,
    find: '--c-bookedToday: #8ab5f8;',
    replace: '--c-bookedToday: #1c55ae;',
    tests,
    only: on('offers'),
  },
  {
    name: 'secondary text has enough contrast in the dark theme',
    file: tokens,
    find: '--c-muted: #a2aca6;',
    replace: '--c-muted: #59625d;',
    tests,
    only: on('public offers'),
  },
  {
    name: 'the preview of a printed sheet keeps dark letters in the dark theme',
    file: tokens,
    find: `[data-paper] {
  color-scheme: light;
  --c-surface: #ffffff;
  --c-sunken: #ffffff;
  --c-ink: #000000;`,
    replace: `[data-paper] {
  color-scheme: light;
  --c-surface: #ffffff;
  --c-sunken: #ffffff;`,
    tests,
    only: on('offers on paper'),
  },
  {
    name: 'the page buttons keep their names on a phone, where only icons show',
    file: `${features}/orders/pagination-bar.tsx`,
    find: '<span className="max-md:sr-only">Precedente</span>',
    replace: '<span className="max-md:hidden">Precedente</span>',
    tests,
    only: on('dashboard'),
  },
  {
    name: 'the link of an administrator keeps its name in windows where only an icon shows',
    file: 'web/src/app/shell/admin-header.tsx',
    find: '              aria-label={`Sicurezza: ${email}`}\n',
    replace: '',
    tests: ['web/src/features/account/account-page.test.tsx'],
  },
  {
    name: 'an example that scrolls sideways can be scrolled with the keyboard',
    file: `${features}/api-keys/api-guide.tsx`,
    find: '        tabIndex={0}\n',
    replace: '',
    tests,
    only: on('API keys'),
  },
  {
    name: 'the buttons of the product sheet wrap on a phone',
    file: 'web/src/app/routes/product-draft/product-sheet.tsx',
    find: '<div className="flex flex-wrap items-center gap-2">',
    replace: '<div className="flex items-center gap-2">',
    tests,
    only: on('product sheet'),
  },
  {
    name: 'the focus follows a file of pharmacies to its preview',
    file: 'web/src/features/pharmacy-imports/import-summary.tsx',
    find: 'if (takesFocus) heading.current?.focus()',
    replace: '',
    tests: ['web/src/features/pharmacy-imports/import-page.test.tsx'],
  },
  {
    name: 'an import of pharmacies that runs is followed to its end',
    file: 'web/src/features/pharmacy-imports/import-page.tsx',
    find: "(state.data?.state === 'running' ? POLL_MS : false)",
    replace: '(state.data ? false : false)',
    tests: ['web/src/features/pharmacy-imports/import-page.test.tsx'],
  },
]

// @ts-check

const routes = 'web/src/app/routes'
const orders = 'web/src/features/orders'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a status change that fails is rolled back on the screen',
    file: `${orders}/optimistic-statuses.ts`,
    find: 'for (const id of ids) pendingRef.current.delete(id)',
    replace: '',
    tests: [`${routes}/dashboard-status.test.tsx`],
  },
  {
    name: 'a status change sends the status it saw, so that a conflict is asked about',
    file: `${orders}/use-change-status.ts`,
    find: 'query: { was },',
    replace: 'query: {},',
    tests: [`${routes}/dashboard-conflict.test.tsx`],
  },
  {
    name: 'the undo of a bulk change that broke off includes the orders changed before the retry',
    file: `${orders}/bulk-run.ts`,
    find: '[...(retryOf?.changed ?? []), ...outcome.changed]',
    replace: '[...outcome.changed]',
    tests: [`${routes}/dashboard-bulk.test.tsx`],
  },
  {
    name: 'a live connection that is restored reads the orders again',
    file: `${orders}/live-orders.tsx`,
    find: 'subscribed() {\n      refetch()',
    replace: 'subscribed() {',
    tests: [`${routes}/dashboard-live.test.tsx`],
  },
  {
    name: 'the orders are polled every minute when no worker does it',
    file: `${orders}/live-orders.tsx`,
    find: 'refetchInterval: autoRefresh && !isWorkerActive ? AUTO_REFRESH_MS : false,',
    replace: 'refetchInterval: false,',
    tests: [`${routes}/dashboard-refresh.test.tsx`],
  },
  {
    name: 'a page served from the copy says how old the copy is',
    file: `${orders}/orders-notices.tsx`,
    find: '{stale ? <p>{copyText(freshness, now)}</p> : null}',
    replace: '',
    tests: [`${routes}/dashboard.test.tsx`],
  },
  {
    name: 'the words of a search are sent in a body and not in a URL',
    file: `${orders}/orders-cache.ts`,
    find: 'return q === undefined\n    ? endpointQueryOptions(listOrders, { query })',
    replace:
      'return q !== null\n    ? endpointQueryOptions(listOrders, { query: { ...query, q } })',
    tests: [`${routes}/dashboard-search.test.tsx`],
  },
  {
    name: 'the sound of news plays in one tab of a browser only',
    file: 'web/src/features/notifications/bell.ts',
    find: `if (!('locks' in navigator)) return work()`,
    replace: 'if (!signal.aborted) return work()',
    tests: ['web/src/features/notifications/news-sound.test.tsx'],
  },
  {
    name: 'the printed slip of an order shows nothing of the page around it',
    file: 'web/src/styles.css',
    find: 'body:has(> [data-print-alone]) > :not([data-print-alone])',
    replace: 'body:has(> [data-print-nothing]) > :not([data-print-alone])',
    tests: ['e2e/hand-on.test.ts'],
    only: 'goes on a slip of paper, alone and under its number',
  },
  {
    name: 'the dashboard survives when the code of the toasts cannot be loaded',
    file: 'web/src/app/shell/staff-frame.tsx',
    find: `
      <ErrorBoundary fallback={null}>
        <Suspense>
          <Toaster />`,
    replace: `
      <ErrorBoundary>
        <Suspense>
          <Toaster />`,
    tests: ['e2e/counter.test.ts'],
    // Alone it loses a race: it goes offline before the code of the details is there.
    only: '(on a phone|the list lives without the code of the toasts)',
  },
  {
    name: 'a filter chosen just before another is kept',
    file: 'web/src/lib/url-filter.ts',
    find: '...parse(window.location), page: 1',
    replace: '...filter, page: 1',
    tests: ['web/src/lib/url-filter.test.tsx'],
  },
]

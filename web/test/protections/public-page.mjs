// @ts-check

const offers = 'web/src/features/public-offers'
const visits = 'web/src/features/visits'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'data embedded in the public page cannot close its script element',
    file: 'web/src/public-pages/document-text.ts',
    find: `    .replaceAll('<', '\\\\u003c')\n`,
    replace: '',
    tests: ['web/src/public-pages/render.test.tsx'],
  },
  {
    name: 'quotes in a name cannot end an attribute in the head of the public page',
    file: 'web/src/public-pages/html-text.ts',
    find: `/[&<>"']/g`,
    replace: '/[&<>]/g',
    tests: ['web/src/public-pages/render.test.tsx'],
  },
  {
    name: 'without JavaScript an offer is a link to its page',
    file: `${offers}/offer-link.tsx`,
    find: 'href={navigation.offerAddress(offer.id)}',
    replace: 'href="#"',
    tests: ['web/src/public-pages/render.test.tsx'],
  },
  {
    name: 'the public page does not show the description of a medicine',
    file: `${offers}/offer-dialog.tsx`,
    find: `{Descrizione === '' || offer.medicine ? null : (`,
    replace: `{Descrizione === '' ? null : (`,
    tests: [`${offers}/offer-dialog.test.tsx`],
  },
  {
    name: 'the WhatsApp message of an order says which price is discounted',
    file: `${offers}/offer-texts.ts`,
    find: `discounted: type === 'discount',`,
    replace: 'discounted: false,',
    tests: [`${offers}/order-list.test.tsx`],
  },
  {
    name: 'the list of a customer is stored for one pharmacy',
    file: `${offers}/order-list-store.ts`,
    find: 'bancone-list:${code}',
    replace: 'bancone-list',
    tests: [`${offers}/order-list.test.tsx`],
  },
  {
    name: 'going back changes the filters of the public page with the URL',
    file: `${offers}/use-page-location.ts`,
    find: `    window.addEventListener('popstate', follow)\n`,
    replace: '',
    tests: [`${offers}/offer-filters.test.tsx`],
  },
  {
    name: 'a visitor who opts out sends no visit',
    file: `${visits}/visits.ts`,
    find: 'if (optsOut() || (viewedAt',
    replace: 'if ((viewedAt',
    tests: [`${visits}/visits.test.ts`],
  },
  {
    name: 'the tag of a link does not stay in the address',
    file: `${visits}/link-tag.ts`,
    find: '  query.delete(TAG_PARAM)\n',
    replace: '',
    tests: [`${visits}/visits.test.ts`],
  },
  {
    name: 'an offer behind a dialog is not seen',
    file: `${visits}/seen-offers.ts`,
    find: `document.hidden || document.querySelector('dialog[open]')`,
    replace: 'document.hidden',
    tests: [`${visits}/seen-offers.test.ts`],
  },
  {
    name: 'with very large letters the public page is in one column',
    file: `${offers}/offer-grid.tsx`,
    find: 'minmax(min(100%,max(7.75rem,40%)),1fr)',
    replace: 'minmax(40%,1fr)',
    tests: ['e2e/customer-screens.test.ts'],
    only: 'is in one column where letters are so large',
  },
  {
    name: 'the public page says in the browser whether the pharmacy is open now',
    file: 'web/src/features/public-offers/opening-line.tsx',
    find: 'if (useHydrated()) return openingText',
    replace: 'if (useHydrated() && now < 0) return openingText',
    tests: ['web/src/public-pages/render-profile.test.tsx'],
  },
]

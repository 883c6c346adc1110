// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a change of the data of a pharmacy invalidates its public pages in all processes',
    file: 'server/src/database/migrations/0013_plans.sql',
    find: 'pharmacies__public_changed after update on pharmacies',
    replace: 'pharmacies__public_changed after update of pharmacy_id on pharmacies',
    tests: ['server/src/features/public-offers/public-pages-invalidation.test.ts'],
  },
  {
    name: 'a public page that changed while it was read is not cached',
    file: 'server/src/features/public-offers/offers-cache.ts',
    find: 'if (isOutdated || isAlias) return',
    replace: 'if (isAlias) return',
    tests: ['server/src/features/public-offers/public-pages-cache.test.ts'],
  },
  {
    name: 'the public page of an inactive pharmacy shows no offers',
    file: 'server/src/features/public-offers/public-offers.service.ts',
    find: "if (!pharmacy.isActive) return 'Farmacia non attiva'",
    replace: '',
    tests: ['server/src/features/public-offers/public-offers.test.ts'],
  },
  {
    name: 'the security headers of a page forbid scripts that are not files of this server',
    file: 'server/src/http/security.ts',
    find: '"script-src \'self\'",',
    replace: "\"script-src 'self' 'unsafe-inline'\",",
    tests: ['server/src/features/public-offers/public-pages.test.ts', 'server/test/http.test.ts'],
  },
  {
    name: 'the share picture of an offer that is gone is not found',
    file: 'server/src/features/public-offers/share/share-images.service.ts',
    find: "if (!card || (offerId !== null && card.kind !== 'offer')) return 'gone'",
    replace: "if (!card) return 'gone'",
    tests: ['server/src/features/public-offers/share/share-images.test.ts'],
  },
  {
    name: 'the WhatsApp link encodes the text of the order',
    file: 'contract/src/whatsapp-order.ts',
    find: '?text=${encodeURIComponent(text)}`',
    replace: '?text=${text}`',
    tests: ['contract/src/whatsapp-order.test.ts'],
  },
  {
    name: 'a visit of a bot is not counted',
    file: 'server/src/features/visits/visits.service.ts',
    find: 'if (isUncounted(headers) || (await isBot(userAgent))) return false',
    replace: 'if (isUncounted(headers)) return false',
    tests: ['server/src/features/visits/visits.test.ts'],
  },
  {
    name: 'views of one session that come at once are counted once',
    file: 'server/src/features/visits/visits.store.ts',
    find: 'await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx)',
    replace: 'await sql`select ${lock}::text`.execute(tx)',
    tests: ['server/src/features/visits/visits.test.ts'],
  },
]

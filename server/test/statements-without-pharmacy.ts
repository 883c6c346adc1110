/** Functions and parts of statements of a file below `server/src`, separated by spaces. */
type NamesByFile = Readonly<Record<string, string>>

/**
 * Statements about many pharmacies: lists for administrators, jobs, backlogs, and what outside services report of several.
 * Every node of a distributed database takes part in them, which is right where they are rare.
 */
export const acrossPharmacies: NamesByFile = {
  'features/administrators/administrators.store.ts': 'statistics',
  // Bases belong to several pharmacies.
  'features/airtable/airtable-tokens.store.ts': 'removeUnused',
  'features/airtable/airtable-webhooks.store.ts': 'adopt claim',
  'features/analytics/demo-figures.store.ts': 'foldDemo',
  'features/analytics/weekly-mail/weekly-mail.store.ts': 'subscribed',
  'features/audit/audit-events.store.ts': 'memberName page pharmacies',
  'features/orders/copy/order-sweep.store.ts': 'copiesOf',
  'features/orders/copy/poll-schedule.store.ts': 'claim retry signal',
  'features/orders/copy/table-pharmacies.store.ts': 'tablePharmaciesOf',
  'features/orders/creation/new-orders.store.ts': 'deleteOldRequests',
  'features/orders/details/order-history.store.ts': 'deleteGone',
  'features/orders/expiry/order-expiry.store.ts': 'countOld enqueue',
  'features/orders/exports/order-exports.store.ts': 'deleteOld',
  'features/orders/images/order-image-files.store.ts': 'deleteGone listUnused',
  'features/orders/images/order-images.store.ts': 'enqueueLeft',
  'features/orders/migration/migration-runs.store.ts':
    'cancel deleteOld lastBatch latest runDetails selectRuns startAll',
  'features/orders/migration/migration-states.store.ts': 'claimShadow states',
  'features/orders/migration/migration-work.store.ts': 'claimed',
  'features/orders/order-backlogs.store.ts': 'airtable_changes airtable_orders',
  'features/orders/order-health.store.ts': 'health list',
  // The states and pages of the pharmacies that are asked for at the same moment: of the hot path, see docs/scaling.md.
  'features/orders/orders.store.ts': 'selectStates selectStatesOfCopies',
  'features/orders/search/newest-page.store.ts': 'selectNewest',
  'features/pharmacies/admin-pharmacies.store.ts': 'pharmacies',
  'features/pharmacies/life/pharmacy-life.store.ts': 'deleted',
  'features/pharmacies/life/pharmacy-purge.store.ts': 'due',
  'features/pharmacies/plan-deviations.store.ts': 'endPlans',
  'features/pharmacy-overview/pharmacy-overview.store.ts': 'list',
  'features/priority/customer/displays.store.ts': 'markSeen',
  'features/priority/priority-counters.store.ts': 'removeOld',
  'features/priority/priority-life.store.ts': 'endOpen forgetPeople removeOld',
  'features/product-categories/admin-categories.store.ts': 'categories',
  'features/public-offers/site-map.store.ts': 'offers pharmacies',
  'features/subscription-plans/plan-effects.store.ts': 'planEffects',
  'features/subscription-plans/subscription-plans.store.ts': 'plans',
  // One call has the visits of several pharmacies, and one fold the figures of all.
  'features/visits/visits.store.ts': 'fold insert removeCodesBefore visits',
  'features/whatsapp/connection-checks.store.ts': 'enqueueChecks',
  'features/whatsapp/connection-events.store.ts':
    'applyToAccount deleteOfUser lockedBy pharmaciesOf',
  'features/whatsapp/contacts.store.ts': 'removeOld',
  'features/whatsapp/deliveries.store.ts': 'removeOld',
  'features/whatsapp/messages/inbound.store.ts': 'removeOld',
  'features/whatsapp/messages/outbox.store.ts': 'removeOld whatsapp_messages',
  // Of commands.
  'platform/transfer/import-everything.ts': 'requireEmpty',
  'platform/transfer/import-pharmacy.ts': 'expectedFiles',
}

/**
 * Statements about one row that are given its own key alone, as a job or a link has it. A distributed database would ask
 * every node: their callers have to name the pharmacy, or to find it in a table that is in one place.
 */
export const byTheirOwnKey: NamesByFile = {
  'features/api-keys/api-keys.store.ts': 'find',
  // The links of pictures.
  'features/orders/images/order-attachments.store.ts': 'find',
  'features/pharmacies/life/pharmacy-exports.store.ts': 'selectExports',
  'features/pharmacies/life/pharmacy-transfer.store.ts': 'findForTransfer',
  'features/pharmacies/pharmacies.store.ts': 'account orderOwner publicByCode',
  'features/priority/customer/displays.store.ts': 'byToken',
  'features/support/support-visits.store.ts': 'current',
  'features/visits/visits.store.ts': 'pharmacyOf',
  'features/whatsapp/connection-events.store.ts': 'ofNumber',
}

/** Parts of statements whose other parts name the pharmacy. */
export const partsOfStatements: NamesByFile = {
  'features/notifications/push-devices.store.ts': 'found waitingCustomers worksThere',
  'features/orders/changes/order-changes.store.ts': 'isInStore',
  'features/orders/copy/order-upsert.store.ts': 'hasNoChange hasNoCreation',
  'features/orders/customers/customer-orders.store.ts': 'isHere',
  'features/orders/customers/order-anonymization.store.ts': 'isInDatabaseOnly',
  'features/orders/expiry/order-expiry.store.ts': 'canExpire hasOwnDays',
  'features/orders/expiry/order-holds.store.ts': 'isHeld',
  'features/orders/images/order-image-files.store.ts': 'hasNoOrder',
  'features/orders/migration/migration-runs.store.ts': 'copyOf',
  // These are given a job, a run, and a connection, with the pharmacy.
  'features/orders/order-job-pause.store.ts': 'pausedWhileInactive',
  'features/orders/migration/migration-work.store.ts': 'finish',
  'features/whatsapp/stored-connection.store.ts': 'endConnection',
  'features/orders/search/filtered-orders.store.ts': 'customerKey orders',
  'features/priority/customer/customer-visits.store.ts': 'isReplaced',
}

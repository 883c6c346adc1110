import { accountEndpoints } from './account.ts'
import {
  changePharmacy,
  checkAirtable,
  createPharmacy,
  getAdminPharmacy,
  listAdminPharmacies,
  removePharmacy,
  switchPharmacy,
} from './admin-pharmacies.ts'
import { getAdminStatistics, getOwnAdministrator } from './administrators.ts'
import { airtableEndpoints } from './airtable.ts'
import { analyticsEndpoints } from './analytics.ts'
import { changeAnalyticsSettings, getAnalyticsSettings } from './analytics-settings.ts'
import { getTraffic } from './analytics-traffic.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { draftProduct } from './assistant.ts'
import {
  downloadAuditEvents,
  listAuditEvents,
  listAuditSubjects,
  listPharmacyAudit,
} from './audit.ts'
import { confirmRecoverySheet, getBackups, getRecoverySheet, startBackup } from './backups.ts'
import {
  changeColleague,
  inviteColleague,
  inviteColleagueAgain,
  listColleagues,
  removeColleague,
} from './colleagues.ts'
import { copyCustomerData, eraseCustomerData, findCustomerData } from './customer-data.ts'
import type { Endpoint } from './endpoint.ts'
import { importImage, removeImage, uploadImage } from './images.ts'
import { findMedicine } from './medicines.ts'
import { createOrder } from './new-orders.ts'
import { getPushKey, subscribeDevice, testDevice, unsubscribeDevice } from './notifications.ts'
import {
  arrangeOffers,
  changeOffer,
  checkOfferPrice,
  createOffer,
  listOffers,
  removeOffer,
} from './offers.ts'
import { correctOrder, removeOrder } from './order-corrections.ts'
import { orderDetailsEndpoints } from './order-details.ts'
import {
  cancelOrderExport,
  downloadOrderExport,
  getOrderExport,
  startOrderExport,
} from './order-exports.ts'
import { getOrdersHealth, listOrdersHealth } from './order-health.ts'
import { orderRetentionEndpoints } from './order-retention.ts'
import {
  changeOrdersStatus,
  countOrders,
  searchOrders,
  selectOrders,
  suggestSearch,
} from './order-search.ts'
import { addOrderView, changeOrderView, listOrderViews, removeOrderView } from './order-views.ts'
import {
  changeOrderStatus,
  dismissOrderNotice,
  listAllOrders,
  listOrders,
  markOrdersSeen,
  refreshOrders,
} from './orders.ts'
import { migrationEndpoints } from './orders-migration-api.ts'
import { getOwnPharmacy } from './pharmacies.ts'
import {
  changePharmacyEmail,
  getPharmacyAccount,
  readOrdersAgain,
  resetSecondFactors,
  sendPharmacyLink,
} from './pharmacy-actions.ts'
import {
  downloadPharmacyExport,
  getPharmacyExport,
  listDeletedPharmacies,
  purgePharmacy,
  restorePharmacy,
  startPharmacyExport,
} from './pharmacy-deletion.ts'
import { pharmacyImportEndpoints } from './pharmacy-imports.ts'
import { listPharmacyOverview } from './pharmacy-overview.ts'
import {
  changeOwnProfile,
  changePharmacyProfile,
  getOwnProfile,
  getPharmacyProfile,
  uploadPharmacyLogo,
} from './pharmacy-profile.ts'
import {
  changePrioritySession,
  changePrioritySettings,
  createPriorityDisplay,
  getPriorityBoard,
  getPrioritySettings,
  issuePriorityLinks,
  listPriorityDisplays,
  removePriorityDisplay,
  undoPriorityChange,
} from './priority.ts'
import { acknowledgeArrivals, recordCounterPresence } from './priority-counters.ts'
import {
  changeCustomerPlace,
  changeCustomerPrioritySession,
  getCustomerPrioritySession,
  getPriorityDisplay,
  unlockCustomerPrioritySession,
} from './priority-customer.ts'
import { getPriorityReport } from './priority-report.ts'
import { getPrivacyText, listPrivacyTexts, publishPrivacyText } from './privacy-texts.ts'
import {
  changeCategory,
  createCategory,
  listAdminCategories,
  listProductCategories,
  removeCategory,
} from './product-categories.ts'
import { findProductImage, removeProductImage } from './product-images.ts'
import { listPublicOffers } from './public-offers.ts'
import { addReplyText, changeReplyText, listReplyTexts, removeReplyText } from './reply-texts.ts'
import { checkService, listServices } from './services.ts'
import {
  changeSetting,
  dismissNotice,
  getNotice,
  getSettings,
  getSupportContact,
} from './settings.ts'
import {
  changeSubscriptionPlan,
  createSubscriptionPlan,
  listSubscriptionPlans,
  previewSubscriptionPlan,
  removeSubscriptionPlan,
} from './subscription-plans.ts'
import {
  endSupportSession,
  getCurrentSupportSession,
  listSupportSessions,
  startSupportSession,
} from './support-sessions.ts'
import { recordVisit } from './visits.ts'
import { whatsAppEndpoints } from './whatsapp-endpoints.ts'

/** Every endpoint of the API. The OpenAPI document and the access tests are generated from this list. */
export const endpoints: readonly Endpoint[] = [
  listOrders,
  listAllOrders,
  refreshOrders,
  changeOrderStatus,
  markOrdersSeen,
  dismissOrderNotice,
  getOrdersHealth,
  listOrdersHealth,
  searchOrders,
  suggestSearch,
  countOrders,
  selectOrders,
  changeOrdersStatus,
  ...orderDetailsEndpoints,
  ...orderRetentionEndpoints,
  listOrderViews,
  addOrderView,
  changeOrderView,
  removeOrderView,
  listReplyTexts,
  addReplyText,
  changeReplyText,
  removeReplyText,
  startOrderExport,
  getOrderExport,
  downloadOrderExport,
  cancelOrderExport,
  createOrder,
  correctOrder,
  removeOrder,
  listApiKeys,
  findCustomerData,
  copyCustomerData,
  eraseCustomerData,
  createApiKey,
  revokeApiKey,
  uploadImage,
  importImage,
  removeImage,
  findProductImage,
  draftProduct,
  findMedicine,
  listProductCategories,
  listOffers,
  createOffer,
  changeOffer,
  removeOffer,
  arrangeOffers,
  checkOfferPrice,
  listPublicOffers,
  recordVisit,
  getPushKey,
  subscribeDevice,
  unsubscribeDevice,
  testDevice,
  getOwnPharmacy,
  getOwnProfile,
  changeOwnProfile,
  getPharmacyProfile,
  changePharmacyProfile,
  uploadPharmacyLogo,
  listDeletedPharmacies,
  restorePharmacy,
  purgePharmacy,
  startPharmacyExport,
  getPharmacyExport,
  downloadPharmacyExport,
  listColleagues,
  inviteColleague,
  changeColleague,
  inviteColleagueAgain,
  removeColleague,
  getOwnAdministrator,
  getAdminStatistics,
  listAdminPharmacies,
  listPharmacyOverview,
  getPharmacyAccount,
  resetSecondFactors,
  sendPharmacyLink,
  changePharmacyEmail,
  readOrdersAgain,
  removeProductImage,
  getAdminPharmacy,
  createPharmacy,
  changePharmacy,
  switchPharmacy,
  removePharmacy,
  checkAirtable,
  ...pharmacyImportEndpoints,
  ...migrationEndpoints,
  listSubscriptionPlans,
  createSubscriptionPlan,
  changeSubscriptionPlan,
  previewSubscriptionPlan,
  removeSubscriptionPlan,
  listAdminCategories,
  createCategory,
  changeCategory,
  removeCategory,
  ...accountEndpoints,
  listAuditEvents,
  listAuditSubjects,
  downloadAuditEvents,
  listPharmacyAudit,
  getSettings,
  changeSetting,
  getSupportContact,
  getNotice,
  dismissNotice,
  getPrivacyText,
  listPrivacyTexts,
  publishPrivacyText,
  listServices,
  checkService,
  getBackups,
  startBackup,
  getRecoverySheet,
  confirmRecoverySheet,
  startSupportSession,
  getCurrentSupportSession,
  endSupportSession,
  listSupportSessions,
  getPriorityBoard,
  changePrioritySession,
  undoPriorityChange,
  acknowledgeArrivals,
  recordCounterPresence,
  issuePriorityLinks,
  getPrioritySettings,
  changePrioritySettings,
  ...airtableEndpoints,
  ...analyticsEndpoints,
  getTraffic,
  getAnalyticsSettings,
  changeAnalyticsSettings,
  getPriorityReport,
  listPriorityDisplays,
  createPriorityDisplay,
  removePriorityDisplay,
  getCustomerPrioritySession,
  changeCustomerPrioritySession,
  changeCustomerPlace,
  unlockCustomerPrioritySession,
  getPriorityDisplay,
  ...whatsAppEndpoints,
]

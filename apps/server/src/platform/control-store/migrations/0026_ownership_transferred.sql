UPDATE "audit_entries" SET "action" = 'organization.ownership_transferred' WHERE "action" = 'organization.handed_over';

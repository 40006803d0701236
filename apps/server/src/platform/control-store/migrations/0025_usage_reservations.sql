ALTER TABLE "usage_claims" RENAME TO "usage_reservations";--> statement-breakpoint
ALTER TABLE "usage_reservations" RENAME COLUMN "made_at" TO "reserved_at";--> statement-breakpoint
ALTER TABLE "usage_reservations" RENAME CONSTRAINT "usage_claims_id_account_id_pk" TO "usage_reservations_id_account_id_pk";--> statement-breakpoint
ALTER INDEX "usage_claims_made" RENAME TO "usage_reservations_reserved";

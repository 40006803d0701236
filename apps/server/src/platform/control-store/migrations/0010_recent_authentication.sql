ALTER TABLE "sessions" ADD COLUMN "authenticated_at" timestamp (6) with time zone;--> statement-breakpoint
UPDATE "sessions" SET "authenticated_at" = "created_at";--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "authenticated_at" SET NOT NULL;

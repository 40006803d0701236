ALTER TABLE "demo_workspace" ADD COLUMN "history_played_at" timestamp (6) with time zone;--> statement-breakpoint
-- A workspace that was made before goes on without a history.
UPDATE "demo_workspace" SET "history_played_at" = "created_at";

"""Body plans and tracked keypoints in, joint angles out."""
